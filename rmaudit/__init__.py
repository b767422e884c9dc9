"""rmaudit: audit a reward model's reasons before it steers RLHF."""

__version__ = "0.1.0"
