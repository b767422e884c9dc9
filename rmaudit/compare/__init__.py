"""Runs held against each other: what changed, on which items, and how surely.

    run directories -> CompareRun[] -> comparable metrics -> paired changes, ranks, curve -> view

It reads run directories only and calls no model.
"""
