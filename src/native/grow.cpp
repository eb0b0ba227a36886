#include "grow.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

// A coordinate of a form at the origin takes this many bits; three of them fit a char32_t.
static constexpr int kBits = 10;
static constexpr int kLargest = (1 << kBits) - 1;

// Within these bounds no int overflows.
static constexpr int kFarthest = 1 << 20;
static constexpr int kLargestEntry = 1 << 7;

template <typename T>
static void check_size(const std::vector<T>& numbers, T largest, const char* what) {
    for (const T number : numbers)
        if (number < -largest || number > largest)
            throw std::invalid_argument(std::string(what) + " is too large");
}

static int floor_mod(int a, int m) {
    const int r = a % m;
    return r < 0 ? r + m : r;
}

Grower::Grower(GrowthLattice lattice) : lattice_(std::move(lattice)) {
    const int d = lattice_.dimension;
    if (d < 1 || d > 3) throw std::invalid_argument("the dimension must be 1, 2 or 3");
    if (lattice_.period < 1) throw std::invalid_argument("the period must be positive");
    if (lattice_.period > kLargest) throw std::invalid_argument("the period is too large");
    std::size_t residues = 1;
    for (int k = 0; k < d; ++k) residues *= static_cast<std::size_t>(lattice_.period);
    if (lattice_.types.size() != residues)
        throw std::invalid_argument("the table of types must have period^dimension entries");
    for (const int type : lattice_.types)
        if (type >= static_cast<int>(lattice_.steps.size()))
            throw std::invalid_argument("a residue has a type without neighbours");
    for (const auto& steps : lattice_.steps) {
        if (steps.size() % static_cast<std::size_t>(d) != 0)
            throw std::invalid_argument("an offset has the wrong number of coordinates");
        check_size(steps, kFarthest, "an offset");
    }
    if (lattice_.matrices.empty() || lattice_.matrices.size() % static_cast<std::size_t>(d * d))
        throw std::invalid_argument("the matrices must be d by d");
    check_size(lattice_.matrices, kLargestEntry, "an entry of a matrix");
}

int Grower::type_of(const int* point) const {
    int index = 0;
    for (int k = lattice_.dimension - 1; k >= 0; --k)
        index = index * lattice_.period + floor_mod(point[k], lattice_.period);
    return lattice_.types[static_cast<std::size_t>(index)];
}

// The lexicographically least image: transform, move to the origin, sort, compare.
Grower::Form Grower::canonical(const std::vector<int>& points) const {
    const int d = lattice_.dimension;
    const std::size_t n = points.size() / static_cast<std::size_t>(d);
    Form best;
    Form image(n, 0);
    std::vector<int> moved(points.size());
    for (std::size_t m = 0; m < lattice_.matrices.size(); m += static_cast<std::size_t>(d * d)) {
        const int* matrix = lattice_.matrices.data() + m;
        int low[3] = {0, 0, 0};
        for (std::size_t p = 0; p < n; ++p) {
            for (int row = 0; row < d; ++row) {
                int value = 0;
                for (int k = 0; k < d; ++k) value += matrix[row * d + k] * points[p * d + k];
                moved[p * d + row] = value;
                low[row] = p == 0 ? value : std::min(low[row], value);
            }
        }
        for (int row = 0; row < d; ++row) low[row] -= floor_mod(low[row], lattice_.period);
        for (std::size_t p = 0; p < n; ++p) {
            char32_t packed = 0;
            for (int row = 0; row < d; ++row) {
                const int value = moved[p * d + row] - low[row];
                if (value > kLargest) throw std::length_error("the form is too long");
                packed = packed << kBits | static_cast<char32_t>(value);
            }
            image[p] = packed;
        }
        std::sort(image.begin(), image.end());
        if (best.empty() || image < best) best = image;
    }
    return best;
}

void Grower::extend(const std::int64_t* points, std::size_t order) {
    const std::size_t d = static_cast<std::size_t>(lattice_.dimension);
    const std::vector<std::int64_t> given(points, points + order * d);
    check_size(given, std::int64_t{kFarthest}, "a coordinate");
    std::vector<int> grown(given.begin(), given.end());
    grown.resize((order + 1) * d);
    int* const added = grown.data() + order * d;
    for (std::size_t p = 0; p < order; ++p) {
        const int type = type_of(grown.data() + p * d);
        if (type < 0) throw std::invalid_argument("a point is not a unit of the lattice");
        const auto& steps = lattice_.steps[static_cast<std::size_t>(type)];
        for (std::size_t s = 0; s < steps.size(); s += d) {
            for (std::size_t k = 0; k < d; ++k) added[k] = grown[p * d + k] + steps[s + k];
            bool taken = false;
            for (std::size_t q = 0; q < order && !taken; ++q)
                taken = std::equal(added, added + d, grown.data() + q * d);
            if (!taken) found_.insert(canonical(grown));
        }
    }
}

std::vector<std::int64_t> Grower::forms() const {
    std::vector<const Form*> sorted;
    sorted.reserve(found_.size());
    for (const Form& form : found_) sorted.push_back(&form);
    std::sort(sorted.begin(), sorted.end(), [](const Form* a, const Form* b) { return *a < *b; });
    std::vector<std::int64_t> result;
    for (const Form* form : sorted)
        for (const char32_t packed : *form)
            for (int row = lattice_.dimension - 1; row >= 0; --row)
                result.push_back(packed >> (kBits * row) & kLargest);
    return result;
}

}  // namespace exactile
