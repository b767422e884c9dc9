"""Renderings of a decision for machines: JUnit, SARIF, GitHub. All say what the decision says."""
