"""The workbook: a plan as sheets whose figures follow when an input is changed."""
