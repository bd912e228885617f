// Where the sources of kernels are.
#pragma once

#include <string>

namespace gridloom
{

void set_root_folder(const std::string &folder);

// The absolute path of a kernel's source. Fails with the places looked at.
std::string find_source(const std::string &path);

}  // namespace gridloom
