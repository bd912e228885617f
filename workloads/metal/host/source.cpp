// Where the sources of kernels are.
#include "source.hpp"

#include <cstdlib>
#include <filesystem>
#include <gridloom/failure.hpp>
#include <sstream>
#include <vector>

namespace gridloom
{

namespace fs = std::filesystem;

namespace
{

std::string &root_folder()
{
    static std::string folder;

    return folder;
}

void add_variable(std::vector<fs::path> &folders, const char *name)
{
    if (const char *value = std::getenv(name); value && *value) {
        folders.emplace_back(value);
    }
}

// Folders of --kernels also have kernels whose path has more folders in front.
void add_below(std::vector<fs::path> &places, const fs::path &path)
{
    const char *folders = std::getenv("GRIDLOOM_METAL_KERNELS");
    std::istringstream list(folders ? folders : "");

    for (std::string folder; std::getline(list, folder, ':');) {
        for (auto first = path.begin(); first != path.end(); ++first) {
            fs::path rest;
            for (auto part = first; part != path.end(); ++part) {
                rest /= *part;
            }
            places.push_back(fs::path(folder) / rest);
        }
    }
}

}  // namespace

void set_root_folder(const std::string &folder)
{
    root_folder() = folder;
}

std::string find_source(const std::string &name)
{
    const fs::path path(name);
    std::vector<fs::path> folders{"."};
    std::vector<fs::path> places;

    add_variable(folders, "TT_METAL_KERNEL_PATH");
    add_variable(folders, "TT_METAL_HOME");
    if (!root_folder().empty()) {
        folders.emplace_back(root_folder());
    }
    for (const fs::path &folder : folders) {
        places.push_back(folder / path);  // which is the path itself if it is absolute
    }
    add_below(places, path.relative_path());
    for (const fs::path &place : places) {
        std::error_code error;
        if (fs::is_regular_file(place, error)) {
            return fs::absolute(place).lexically_normal().string();
        }
    }
    std::string looked;
    for (const fs::path &folder : folders) {
        looked += (looked.empty() ? "" : ", ") +
                  fs::absolute(folder).lexically_normal().string();
    }
    if (const char *below = std::getenv("GRIDLOOM_METAL_KERNELS"); below && *below) {
        looked += std::string(", ") + below;
    }
    refuse("kernel {} does not exist in any of: {}", name, looked);
}

}  // namespace gridloom
