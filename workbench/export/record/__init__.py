"""The capacity record: one document, written as Word, Markdown and printed pages."""
