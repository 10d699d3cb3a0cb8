"""Processor Sharing Flows in the Internet

N. Dukkipati, M. Kobayashi, R. Zhang-Shen, N. McKeown, IWQoS 2005.
"""
