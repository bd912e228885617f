"""Names that host programs of appliances import from here."""
from cerebras.sdk.runtime.sdkruntimepybind import MemcpyDataType, MemcpyOrder  # pylint: disable=unused-import
