"""Language models, through LiteLLM."""
