#include "tiling_prototiles.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace exactile::tiling {

static constexpr std::size_t kMostAspects = 512;
static constexpr std::size_t kMostUnits = 256;
static constexpr int kMostExtent = 128;

// Move units so that their least coordinates are 0, and sort them; returns where they were.
static Vec normalize(Units& units) {
    Vec low = units.front().at;
    for (const Unit& unit : units)
        for (int i = 0; i < kAxes; ++i) low[i] = std::min(low[i], unit.at[i]);
    for (Unit& unit : units) unit.at = unit.at - low;
    std::ranges::sort(units);
    return low;
}

static Units turned(const Lattice& lattice, int turn, const Units& units) {
    Units image;
    image.reserve(units.size());
    for (const Unit& unit : units) image.push_back(lattice.turned(turn, unit));
    return image;
}

static void require_units(const Lattice& lattice, const Units& form) {
    if (form.empty()) throw std::invalid_argument("a prototile has no units");
    if (form.size() > kMostUnits) throw std::invalid_argument("a prototile has too many units");
    for (const Unit& unit : form) {
        if (unit.type < 0 || unit.type >= lattice.types)
            throw std::invalid_argument("a unit has a type that does not exist");
        for (const int c : unit.at)
            if (std::abs(c) > 1 << 20) throw std::invalid_argument("a unit is too far away");
    }
    Units sorted = form;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
        throw std::invalid_argument("a prototile has a unit twice");
}

Prototiles::Prototiles(const Lattice& lattice, const std::vector<Units>& forms)
    : lattice_(&lattice) {
    if (forms.empty()) throw std::invalid_argument("there are no prototiles");
    for (const Units& form : forms) require_units(lattice, form);
    make_aspects(forms);
    overlaps_.resize(aspects_.size());
    neighbors_.resize(aspects_.size());
    for (int p = 0; p < prototile_count(); ++p) relate(p);
    classify();
}

void Prototiles::make_aspects(const std::vector<Units>& forms) {
    std::map<Units, int> known;
    images_.assign(lattice_->turns.size(), {});
    for (std::size_t p = 0; p < forms.size(); ++p) {
        Units form = forms[p];
        normalize(form);
        for (int turn = 0; turn < lattice_->turn_count(); ++turn) {
            Units image = tiling::turned(*lattice_, turn, form);
            normalize(image);
            const auto [found, fresh] = known.emplace(image, aspect_count());
            if (turn == 0) {
                if (!fresh) throw std::invalid_argument("two prototiles are congruent");
                roots_.push_back(found->second);
            }
            if (!fresh) continue;
            if (aspects_.size() >= kMostAspects)
                throw std::invalid_argument("there are too many aspects");
            aspects_.push_back({static_cast<int>(p), std::move(image), {}, {}, turn});
        }
    }
    for (Aspect& a : aspects_) {
        std::map<Vec, unsigned> rays;
        for (const Unit& unit : a.units) {
            for (const Unit& step : lattice_->touching[static_cast<std::size_t>(unit.type)])
                a.halo.push_back({unit.at + step.at, step.type});
            for (std::size_t k = 0; k < lattice_->rays.size(); ++k)
                if (lattice_->rays[k].type == unit.type)
                    rays[unit.at - lattice_->rays[k].at] |= 1u << k;
            for (const int c : unit.at) extent_ = std::max(extent_, c + 1);
        }
        std::ranges::sort(a.halo);
        a.halo.erase(std::ranges::unique(a.halo).begin(), a.halo.end());
        std::erase_if(a.halo,
                      [&](const Unit& unit) { return std::ranges::binary_search(a.units, unit); });
        for (const auto& [vertex, set] : rays)
            for (int item = 0; item < lattice_->slots - lattice_->types; ++item)
                if (lattice_->items[set] >> item & 1)
                    a.items.push_back({vertex, lattice_->types + item});
    }
    if (extent_ > kMostExtent) throw std::invalid_argument("a prototile is too long");
    for (int turn = 0; turn < lattice_->turn_count(); ++turn)
        for (const Aspect& a : aspects_) {
            Units image = tiling::turned(*lattice_, turn, a.units);
            const Vec low = normalize(image);
            images_[static_cast<std::size_t>(turn)].push_back({known.at(image), low});
        }
}

// --- relations

// Differences of places that matter lie within extent + reach along each axis.
static int reach_of(const Lattice& lattice) {
    int reach = 1;
    for (const Units& units : lattice.touching)
        for (const Unit& unit : units)
            for (const int c : unit.at) reach = std::max(reach, std::abs(c));
    return reach;
}

namespace {

// Numbers for placements near 0.
class Box {
public:
    Box(const Lattice& lattice, int extent)
        : far_(extent + reach_of(lattice)), dimension_(lattice.dimension) {
        for (int i = 0; i < dimension_; ++i) size_ *= static_cast<std::size_t>(2 * far_ + 1);
    }
    std::size_t size() const { return size_; }
    bool holds(const Vec& v) const {
        for (int i = 0; i < dimension_; ++i)
            if (std::abs(v[i]) > far_) return false;
        return true;
    }
    std::size_t index(int aspect, const Vec& v) const {
        std::size_t index = 0;
        for (int i = dimension_; i-- > 0;)
            index = index * static_cast<std::size_t>(2 * far_ + 1) +
                    static_cast<std::size_t>(v[i] + far_);
        return static_cast<std::size_t>(aspect) * size_ + index;
    }

private:
    int far_, dimension_;
    std::size_t size_ = 1;
};

}  // namespace

void Prototiles::relate(int prototile) {
    const int root = this->root(prototile);
    const Box box(*lattice_, extent_);
    relation_.emplace_back(box.size() * aspects_.size(), 0);
    auto& relation = relation_.back();
    auto& overlaps = overlaps_[static_cast<std::size_t>(root)];
    auto& neighbors = neighbors_[static_cast<std::size_t>(root)];
    const Aspect& mine = aspect(root);
    const auto meet = [&](const Units& ours, const Units& theirs, int b, auto note) {
        for (const Unit& x : ours)
            for (const Unit& y : theirs)
                if (x.type == y.type) {
                    const Vec at = x.at - y.at;
                    auto& r = relation[box.index(b, at)];
                    if (r == 0) note(r, Placement{b, at});
                }
    };
    for (int b = 0; b < aspect_count(); ++b) {
        const auto overlap = [&](std::int32_t& r, const Placement& p) {
            r = -1;
            overlaps.push_back(p);
        };
        meet(mine.units, aspect(b).units, b, overlap);
        meet(mine.items, aspect(b).items, b, overlap);
        meet(mine.halo, aspect(b).units, b, [&](std::int32_t& r, const Placement& p) {
            neighbors.push_back(p);
            r = static_cast<std::int32_t>(neighbors.size());
        });
    }
    for (int a = 0; a < aspect_count(); ++a) {
        if (a == root || aspect(a).prototile != prototile) continue;
        const int frame = aspect(a).frame;
        const Vec at = turned(frame, {root, {}}).at;
        for (auto* lists : {&overlaps_, &neighbors_})
            for (const Placement& p : (*lists)[static_cast<std::size_t>(root)]) {
                const Placement image = turned(frame, p);
                (*lists)[static_cast<std::size_t>(a)].push_back({image.aspect, image.at - at});
            }
    }
}

int Prototiles::neighbor_index(int prototile, const Placement& p) const {
    const Box box(*lattice_, extent_);
    if (!box.holds(p.at)) return -1;
    return relation_[static_cast<std::size_t>(prototile)][box.index(p.aspect, p.at)] - 1;
}

bool Prototiles::touch(const Placement& p, const Placement& q) const {
    const Placement seen = moved(lattice_->inverted(motion_to(p)), q);
    return neighbor_index(aspect(p.aspect).prototile, seen) >= 0;
}

std::vector<Motion> Prototiles::stabilizer(int prototile) const {
    std::vector<Motion> keep;
    for (int turn = 0; turn < lattice_->turn_count(); ++turn) {
        const Placement image = turned(turn, {root(prototile), {}});
        if (image.aspect == root(prototile)) keep.push_back({turn, Vec{} - image.at});
    }
    return keep;
}

void Prototiles::classify() {
    class_at_.resize(roots_.size());
    for (int p = 0; p < prototile_count(); ++p) {
        const auto& neighbors = this->neighbors(root(p));
        auto& classes = class_at_[static_cast<std::size_t>(p)];
        classes.assign(neighbors.size(), -1);
        const std::vector<Motion> keep = stabilizer(p);
        for (std::size_t k = 0; k < neighbors.size(); ++k) {
            if (classes[k] >= 0) continue;
            for (const Motion& motion : keep)
                classes[static_cast<std::size_t>(neighbor_index(p, moved(motion, neighbors[k])))] =
                    class_count();
            classes_.emplace_back(root(p), neighbors[k]);
        }
    }
    for (const auto& [root, neighbor] : classes_) {
        const int other = aspect(neighbor.aspect).prototile;
        const Motion back = lattice_->inverted(motion_to(neighbor));
        const int k = neighbor_index(other, moved(back, {root, {}}));
        opposite_.push_back(
            class_at_[static_cast<std::size_t>(other)][static_cast<std::size_t>(k)]);
    }
}

}  // namespace exactile::tiling
