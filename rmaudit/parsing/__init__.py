"""From a raw completion to a judgment: verdict, reasons, and the side that each speaks of."""
