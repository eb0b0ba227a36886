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

void GrowthLattice::check() const {
    const int d = dimension;
    if (d < 1 || d > 3) throw std::invalid_argument("the dimension must be 1, 2 or 3");
    if (period < 1) throw std::invalid_argument("the period must be positive");
    if (period > kLargest) throw std::invalid_argument("the period is too large");
    std::size_t residues = 1;
    for (int k = 0; k < d; ++k) residues *= static_cast<std::size_t>(period);
    if (types.size() != residues)
        throw std::invalid_argument("the table of types must have period^dimension entries");
    for (const int type : types)
        if (type >= static_cast<int>(steps.size()))
            throw std::invalid_argument("a residue has a type without neighbours");
    for (const auto& offsets : steps) {
        if (offsets.size() % static_cast<std::size_t>(d) != 0)
            throw std::invalid_argument("an offset has the wrong number of coordinates");
        check_size(offsets, kFarthest, "an offset");
    }
    if (matrices.empty() || matrices.size() % static_cast<std::size_t>(d * d))
        throw std::invalid_argument("the matrices must be d by d");
    check_size(matrices, kLargestEntry, "an entry of a matrix");
}

std::size_t GrowthLattice::residue_of(const int* point) const {
    int index = 0;
    for (int k = dimension - 1; k >= 0; --k) index = index * period + floor_mod(point[k], period);
    return static_cast<std::size_t>(index);
}

Grower::Grower(GrowthLattice lattice) : lattice_(std::move(lattice)) { lattice_.check(); }

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
    std::vector<int> tried;  // units next to several of the form's are joined once
    for (std::size_t p = 0; p < order; ++p) {
        const int type = lattice_.types[lattice_.residue_of(grown.data() + p * d)];
        if (type < 0) throw std::invalid_argument("a point is not a unit of the lattice");
        const auto& steps = lattice_.steps[static_cast<std::size_t>(type)];
        for (std::size_t s = 0; s < steps.size(); s += d) {
            for (std::size_t k = 0; k < d; ++k) added[k] = grown[p * d + k] + steps[s + k];
            const auto is_among = [&](const int* begin, std::size_t length) {
                for (std::size_t q = 0; q < length; q += d)
                    if (std::equal(added, added + d, begin + q)) return true;
                return false;
            };
            if (is_among(grown.data(), order * d) || is_among(tried.data(), tried.size())) continue;
            tried.insert(tried.end(), added, added + d);
            found_.insert(canonical(grown));
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
