"""llama.cpp with GGUF files, as a server, as its tools, and as ollama starts it."""
