"""N. Dukkipati, N. McKeown, "Why Flow-Completion Time is the Right Metric for Congestion Control",
CCR 36(1), 2006.
"""
