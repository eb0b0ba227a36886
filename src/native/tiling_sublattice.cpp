#include "tiling_sublattice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

namespace exactile::tiling {

static int floor_div(int a, int b) { return a / b - (a % b < 0); }

int Sublattice::index() const {
    int index = 1;
    for (int i = 0; i < dimension; ++i) index *= rows[i][i];
    return index;
}

Vec Sublattice::reduced(Vec v) const {
    for (int i = dimension; i-- > 0;) v = v - floor_div(v[i], rows[i][i]) * rows[i];
    return v;
}

int Sublattice::number(const Vec& v) const {
    const Vec r = reduced(v);
    int number = 0;
    for (int i = dimension; i-- > 0;) number = number * rows[i][i] + r[i];
    return number;
}

Vec Sublattice::place(int number) const {
    Vec v{};
    for (int i = 0; i < dimension; ++i) {
        v[i] = number % rows[i][i];
        number /= rows[i][i];
    }
    return v;
}

Sublattice spanned(std::vector<Vec> vectors, int dimension) {
    Sublattice result{dimension, {}};
    for (int i = dimension; i-- > 0;) {
        // Euclid's algorithm in coordinate i, until one vector is left that has it.
        Vec* pivot = nullptr;
        for (bool alone = false; !alone;) {
            pivot = nullptr;
            for (Vec& v : vectors)
                if (v[i] != 0 && (pivot == nullptr || std::abs(v[i]) < std::abs((*pivot)[i])))
                    pivot = &v;
            if (pivot == nullptr) return {dimension, {}};
            alone = true;
            for (Vec& v : vectors)
                if (&v != pivot && v[i] != 0) {
                    v = v - (v[i] / (*pivot)[i]) * *pivot;
                    alone &= v[i] == 0;
                }
        }
        result.rows[i] = (*pivot)[i] < 0 ? Vec{} - *pivot : *pivot;
        *pivot = {};
    }
    for (int i = 1; i < dimension; ++i)
        for (int j = i; j-- > 0;)
            result.rows[i] =
                result.rows[i] - floor_div(result.rows[i][j], result.rows[j][j]) * result.rows[j];
    return result;
}

static std::vector<Sublattice> all_of_index(int dimension, int index) {
    std::vector<Sublattice> result;
    const auto divisors = [](int n) {
        std::vector<int> found;
        for (int d = 1; d <= n; ++d)
            if (n % d == 0) found.push_back(d);
        return found;
    };
    if (dimension == 1) return {{1, {Vec{index, 0, 0}}}};
    for (const int c : divisors(index)) {
        if (dimension == 2) {
            for (int b = 0; b < index / c; ++b)
                result.push_back({2, {Vec{index / c, 0, 0}, Vec{b, c, 0}}});
            continue;
        }
        for (const int b : divisors(index / c)) {
            const int a = index / c / b;
            for (int x = 0; x < a; ++x)
                for (int y = 0; y < a; ++y)
                    for (int z = 0; z < b; ++z)
                        result.push_back({3, {Vec{a, 0, 0}, Vec{x, b, 0}, Vec{y, z, c}}});
        }
    }
    return result;
}

// The square of the length of a shortest vector, by a measure that all turns keep.
static std::int64_t shortest(const Lattice& lattice, const Sublattice& period) {
    std::int64_t form[kAxes][kAxes] = {};
    for (const auto& turn : lattice.turns)
        for (int i = 0; i < kAxes; ++i)
            for (int j = 0; j < kAxes; ++j)
                for (int k = 0; k < kAxes; ++k) form[i][j] += turn[k][i] * turn[k][j];
    const int far = 8;
    const int depth = period.dimension > 2 ? far : 0, width = period.dimension > 1 ? far : 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int z = -depth; z <= depth; ++z)
        for (int y = -width; y <= width; ++y)
            for (int x = -far; x <= far; ++x) {
                const Vec v = x * period.rows[0] + y * period.rows[1] + z * period.rows[2];
                std::int64_t length = 0;
                for (int i = 0; i < period.dimension; ++i)
                    for (int j = 0; j < period.dimension; ++j) length += form[i][j] * v[i] * v[j];
                if ((x != 0 || y != 0 || z != 0) && length < least) least = length;
            }
    return least;
}

const std::vector<Representative>& Sublattices::of_index(int index) {
    const auto [known, fresh] = known_.try_emplace(index);
    auto& found = known->second;
    if (!fresh) return found;
    std::set<Sublattice> seen;
    std::vector<std::pair<std::int64_t, Representative>> rounded;
    for (const Sublattice& period : all_of_index(lattice_->dimension, index)) {
        if (seen.contains(period)) continue;
        Representative each{period, {}, -1};
        for (int turn = 0; turn < lattice_->turn_count(); ++turn) {
            std::vector<Vec> basis;
            for (int i = 0; i < lattice_->dimension; ++i)
                basis.push_back(lattice_->turned(turn, period.rows[i]));
            const Sublattice image = spanned(basis, lattice_->dimension);
            if (image == period) each.keep.push_back(turn);
            each.others += seen.insert(image).second;
        }
        rounded.emplace_back(-shortest(*lattice_, period), std::move(each));
    }
    std::ranges::stable_sort(rounded, {}, &std::pair<std::int64_t, Representative>::first);
    for (auto& each : rounded) found.push_back(std::move(each.second));
    return found;
}

}  // namespace exactile::tiling
