/* What is measured: experiments, the tiles tried in each, and numbers of threads. */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/gpu/tiles/hexagon.cuh"

namespace gpu
{

constexpr int TILE_THREADS[] = {128, 256, 384, 512, 768, 1024};

struct TileExperiment {
    std::string stencil;
    TiledProblem problem;
};

/* Two sizes of each stencil. */
std::vector<TileExperiment> tile_experiments();

/* Different tiles in a drawn order that fit the shared memory of a block. */
std::vector<Tile>
tile_draw(int dimension, size_t count, size_t shared_bytes, uint64_t seed);

/* A row of the file of measured times, and a tile that somebody chose. */
struct TileRow {
    std::string stencil;
    TiledProblem problem;
    Tile tile;
    int resident = 0;
    int threads = 0;
    double seconds = 0;
    bool is_chosen = false;
};

/* Lines of CSV as `gridloom model time --measured` reads them. */
std::string tile_rows_text(const std::string &gpu, const std::vector<TileRow> &rows);

/* Reads such lines, of which only stencil, size, steps, tile and tile_steps count. Ends
 * the program with code 1 where one is wrong. */
std::vector<TileRow> tile_rows_read(const std::string &path);

}  // namespace gpu
