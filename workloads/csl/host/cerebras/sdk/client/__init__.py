"""What host programs of appliances import: here the compiler and the wafer are ours."""
import os
import shlex
import subprocess

from cerebras.sdk.runtime.sdkruntimepybind import SdkRuntime  # pylint: disable=unused-import


class SdkCompiler:
    """Compiles a program with cslc."""

    def __enter__(self):
        return self

    def __exit__(self, *_why):
        return False

    def compile(self, app_path, csl_main, options, out_path="."):
        """The folder for SdkRuntime, made of a file in `app_path`."""
        name = os.path.splitext(os.path.basename(csl_main))[0]
        folder = os.path.abspath(os.path.join(out_path, name + "_artifact"))
        subprocess.run(["cslc", csl_main, *shlex.split(options), "-o", folder], cwd=app_path, check=True)
        return folder
