"""What costs how many bytes on a rank."""
