"""GRPO on one machine: settings, training, checkpoints, and when it stops."""
