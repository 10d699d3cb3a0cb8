"""Where RCP is close to processor sharing, and where not

These figures are our own.
"""
