/* Experiments, drawn tiles, and files of rows. */
#include "tools/gpu/tiles/campaign.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tools/gpu/random.hpp"

namespace gpu
{

std::vector<TileExperiment> tile_experiments()
{
    std::vector<TileExperiment> experiments;

    for (const char *name : {"jacobi2d", "heat2d", "laplacian2d", "gradient2d"}) {
        experiments.push_back({name, {2, {4096, 4096, 1}, 128}});
        experiments.push_back({name, {2, {8192, 8192, 1}, 64}});
    }
    for (const char *name : {"heat3d", "laplacian3d"}) {
        experiments.push_back({name, {3, {256, 256, 256}, 32}});
        experiments.push_back({name, {3, {384, 384, 384}, 16}});
    }
    return experiments;
}

static bool is_same(const Tile &a, const Tile &b)
{
    return a.space[0] == b.space[0] && a.space[1] == b.space[1] &&
           a.space[2] == b.space[2] && a.steps == b.steps;
}

static bool is_known(const std::vector<Tile> &tiles, const Tile &tile)
{
    for (const Tile &other : tiles) {
        if (is_same(other, tile)) {
            return true;
        }
    }
    return false;
}

std::vector<Tile>
tile_draw(int dimension, size_t count, size_t shared_bytes, uint64_t seed)
{
    Random random(seed, 0);
    std::vector<Tile> tiles;
    auto draw = [&](int most) { return 1 + (int) (random.next(0, 1) * most); };

    for (int tries = 0; tries < 100000 && tiles.size() < count; tries++) {
        Tile tile;

        if (dimension == 2) {
            tile.space[0] = draw(48);
            tile.space[1] = 32 * draw(8);
            tile.steps = 2 * draw(24);
        } else {
            tile.space[0] = draw(12);
            tile.space[1] = 2 + draw(14);
            tile.space[2] = 32 * draw(2);
            tile.steps = 2 * draw(4);
        }
        if (sizeof(float) * tile.shared_words(dimension) <= shared_bytes &&
            !is_known(tiles, tile)) {
            tiles.push_back(tile);
        }
    }
    return tiles;
}

static std::string sizes(const int *space, int dimension)
{
    std::string text = std::to_string(space[0]);

    for (int i = 1; i < dimension; i++) {
        text += "x" + std::to_string(space[i]);
    }
    return text;
}

std::string tile_rows_text(const std::string &gpu, const std::vector<TileRow> &rows)
{
    std::string text =
        "gpu,stencil,size,steps,tile,tile_steps,resident,threads,seconds,chosen\n";
    char numbers[64];

    for (const TileRow &row : rows) {
        std::snprintf(numbers, sizeof numbers, "%d,%d,%.6g,%d\n", row.resident,
                      row.threads, row.seconds, row.is_chosen ? 1 : 0);
        text += gpu + "," + row.stencil + "," +
                sizes(row.problem.space, row.problem.dimension) + "," +
                std::to_string(row.problem.steps) + "," +
                sizes(row.tile.space, row.problem.dimension) + "," +
                std::to_string(row.tile.steps) + "," + numbers;
    }
    return text;
}

/* Sizes joined by x; their number, or 0. */
static int read_sizes(const std::string &text, int *space)
{
    std::istringstream parts(text);
    std::string part;
    int count = 0;

    while (std::getline(parts, part, 'x')) {
        space[count] = std::atoi(part.c_str());
        if (space[count++] < 1 || count > 3) {
            return 0;
        }
    }
    return count;
}

static bool read_row(const std::string &line, TileRow *row)
{
    std::istringstream cells(line);
    std::string gpu, size, steps, tile, tile_steps;

    if (!std::getline(cells, gpu, ',') || !std::getline(cells, row->stencil, ',') ||
        !std::getline(cells, size, ',') || !std::getline(cells, steps, ',') ||
        !std::getline(cells, tile, ',') || !std::getline(cells, tile_steps, ',')) {
        return false;
    }
    row->problem.dimension = read_sizes(size, row->problem.space);
    row->problem.steps = std::atoi(steps.c_str());
    row->tile.steps = std::atoi(tile_steps.c_str());
    row->is_chosen = true;
    return row->problem.dimension >= 2 && row->problem.steps > 0 &&
           row->tile.steps >= 2 &&
           read_sizes(tile, row->tile.space) == row->problem.dimension;
}

std::vector<TileRow> tile_rows_read(const std::string &path)
{
    std::ifstream file(path);
    std::string line;
    std::vector<TileRow> rows;

    if (!std::getline(file, line)) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        std::exit(1);
    }
    for (int number = 2; std::getline(file, line); number++) {
        TileRow row;

        if (!read_row(line, &row)) {
            std::fprintf(stderr,
                         "%s:%d: expected gpu,stencil,size,steps,tile,tile_steps\n",
                         path.c_str(), number);
            std::exit(1);
        }
        rows.push_back(row);
    }
    return rows;
}

}  // namespace gpu
