"""What an object store says when it does not serve us, in words that help and hold no secret."""

from core.errors import SearchError

_KEYS = {
    "S3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role of this machine",
    "GCS": "GOOGLE_APPLICATION_CREDENTIALS, or a service account of this machine",
    "Azure": "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
_ADDRESS = {"S3": "INDEX_URL and AWS_ENDPOINT_URL", "GCS": "INDEX_URL", "Azure": "INDEX_URL"}

# How LanceDB 0.40 names a store in its errors, which quote the provider's reply.
_NAMED = {
    "S3": ('store: "S3"', "AWS credentials"),
    "GCS": ('store: "GCS"',),
    "Azure": ('store: "MicrosoftAzure"', "no Azure account name"),
}
# What it was, by what is found in the error; the first one counts. Nothing of the error is repeated.
_NO_KEYS = ("Failed to get AWS credentials", "TokenRequest", "no storage account configured")
_MISSING = ("NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist")
_DENIED = ("AccessDenied", "status: 401", "status: 403", "PermissionDenied", "Unauthenticated")
_PLAIN = ("BadScheme",)
_AWAY = ("HttpError", "status: 5", "status: 429")


def trouble(error: Exception) -> SearchError | None:
    """Return why an object store did not serve us, or None when the error is about something else."""
    said = str(error)
    store = next((name for name, signs in _NAMED.items() if _has(said, signs)), None)
    if store is None:
        return None
    known = {
        _NO_KEYS: f"the object store of INDEX_URL wants keys: set {_KEYS[store]}",
        _MISSING: f"the bucket of INDEX_URL does not exist: create it, or correct {_ADDRESS[store]}",
        _DENIED: f"the object store of INDEX_URL denies access: check {_KEYS[store]}, and that they may read and write",
        _PLAIN: "the object store of INDEX_URL has an address without encryption: write it into AWS_ENDPOINT_URL",
    }
    for signs, words in known.items():
        if _has(said, signs):
            return SearchError(words)
    if _has(said, _AWAY):
        return SearchError(f"the object store of INDEX_URL does not answer: check {_ADDRESS[store]}", retry=True)
    return None


def _has(said: str, signs: tuple[str, ...]) -> bool:
    return any(sign in said for sign in signs)
