"""What tests of several rooms share: items, runs, servers, a browser."""
