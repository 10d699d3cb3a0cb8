"""Why Flow-Completion Time is the Right Metric for Congestion Control

N. Dukkipati, N. McKeown, ACM CCR 36(1), 2006.
"""
