"""TensorRT-LLM: a fraction of what weights and activations leave, in blocks of one pool."""
