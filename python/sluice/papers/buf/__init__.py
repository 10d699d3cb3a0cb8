"""Buffer Sizing Results for RCP Congestion Control under Connection Arrivals and Departures

A. Lakshmikantha, R. Srikant, N. Dukkipati, N. McKeown, C. Beck, ACM CCR 39(1), 2009.
"""
