#include "similar.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace exactile {

namespace {

// Disjoint sets of small numbers.
class Sets {
public:
    void reset(std::size_t size) {
        parent_.resize(size);
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t x) {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    void join(std::size_t x, std::size_t y) { parent_[find(x)] = find(y); }

private:
    std::vector<std::size_t> parent_;
};

// One map in lists: which unit goes where, and what stands at neither end.
struct Map {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    std::vector<std::int32_t> leaving;  // units whose image is outside
    std::vector<std::int32_t> missed;   // units that are not an image
};

// A set of placements (sources) whose union goes onto the union of another one (targets).
struct Part {
    std::vector<std::int32_t> sources, targets;
    bool still = false;  // one placement goes onto another of the same piece
};

class Finder {
public:
    explicit Finder(const Similar& similar) : similar_(similar) {
        check();
        for (std::size_t m = 0; m < similar.maps; ++m) maps_.push_back(lists(m));
    }

    Moves run() {
        for (std::size_t s = 0; s < similar_.solutions; ++s) {
            owners_ = similar_.owners + s * similar_.units;
            pieces_ = similar_.pieces + s * similar_.width;
            for (std::size_t m = 0; m < similar_.maps; ++m)
                if (any_left(maps_[m])) search(s, m);
        }
        return std::move(moves_);
    }

private:
    void check() const {
        const auto width = static_cast<std::int32_t>(similar_.width);
        const auto units = static_cast<std::int32_t>(similar_.units);
        for (std::size_t k = 0; k < similar_.solutions * similar_.units; ++k)
            if (similar_.owners[k] < -1 || similar_.owners[k] >= width)
                throw std::invalid_argument("an owner is not a placement");
        for (std::size_t k = 0; k < similar_.maps * similar_.units; ++k)
            if (similar_.images[k] < -1 || similar_.images[k] >= units)
                throw std::invalid_argument("an image is not a unit");
    }

    Map lists(std::size_t m) const {
        Map map;
        std::vector<bool> hit(similar_.units);
        for (std::size_t u = 0; u < similar_.units; ++u) {
            const std::int32_t image = similar_.images[m * similar_.units + u];
            if (image < 0) {
                map.leaving.push_back(static_cast<std::int32_t>(u));
            } else {
                if (hit[image]) throw std::invalid_argument("two units have the same image");
                hit[image] = true;
                map.pairs.emplace_back(static_cast<std::int32_t>(u), image);
            }
        }
        for (std::size_t u = 0; u < similar_.units; ++u)
            if (!hit[u]) map.missed.push_back(static_cast<std::int32_t>(u));
        return map;
    }

    // Find the placements that the map takes, with all that their images overlap, to whole
    // placements; return whether there are any. Mostly there are none.
    bool any_left(const Map& map) {
        source_.assign(similar_.width + 1, 1);  // the last one stands for no placement: owner -1
        target_.assign(similar_.width + 1, 1);
        source_[similar_.width] = target_[similar_.width] = 0;
        for (const std::int32_t u : map.leaving) source_[slot(u)] = 0;
        for (const std::int32_t u : map.missed) target_[slot(u)] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            std::uint8_t any = 0;
            for (const auto& [u, v] : map.pairs) {
                std::uint8_t& from = source_[slot(u)];
                std::uint8_t& to = target_[slot(v)];
                changed |= from != to;
                from = to = from & to;
                any |= from;
            }
            if (!any) return false;
        }
        return true;
    }

    std::size_t slot(std::int32_t unit) const {
        const std::int32_t owner = owners_[unit];
        return owner < 0 ? similar_.width : static_cast<std::size_t>(owner);
    }

    void search(std::size_t solution, std::size_t m) {
        std::vector<Part> parts = parts_of(maps_[m]);
        if (similar_.wanted[m] & 1) blocks(solution, m, parts);
        if (similar_.wanted[m] & 2) {
            std::erase_if(parts,
                          [](const Part& part) { return part.still || overlapping({&part}); });
            unions(parts, [&](const std::vector<const Part*>& chosen) {
                if (overlapping(chosen)) return;
                for (const Part* part : chosen) {
                    for (const std::int32_t p : part->sources) moves_.placements.push_back(p);
                    for (const std::int32_t p : part->targets) moves_.placements.push_back(~p);
                }
                record(solution, m);
            });
        }
    }

    // The smallest sets of placements that go onto whole placements.
    std::vector<Part> parts_of(const Map& map) {
        const std::size_t width = similar_.width;
        sets_.reset(2 * width);
        for (const auto& [u, v] : map.pairs)
            if (source_[slot(u)]) sets_.join(slot(u), width + slot(v));
        std::vector<Part> parts;
        std::vector<std::int32_t> number(2 * width, -1);
        for (std::size_t p = 0; p < 2 * width; ++p) {
            const bool target = p >= width;
            const std::size_t placement = target ? p - width : p;
            if (!(target ? target_ : source_)[placement] || !used(placement)) continue;
            std::int32_t& k = number[sets_.find(p)];
            if (k < 0) {
                k = static_cast<std::int32_t>(parts.size());
                parts.emplace_back();
            }
            (target ? parts[k].targets : parts[k].sources)
                .push_back(static_cast<std::int32_t>(placement));
        }
        for (Part& part : parts)
            part.still = part.sources.size() == 1 && part.targets.size() == 1 &&
                         pieces_[part.sources[0]] == pieces_[part.targets[0]];
        return parts;
    }

    bool used(std::size_t placement) const { return pieces_[placement] >= 0; }

    // Blocks are unions of parts that have the same sources as targets.
    void blocks(std::size_t solution, std::size_t m, const std::vector<Part>& parts) {
        const std::size_t width = similar_.width;
        std::vector<std::int32_t> from(width, -1), onto(width, -1);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            for (const std::int32_t p : parts[k].sources) from[p] = static_cast<std::int32_t>(k);
            for (const std::int32_t p : parts[k].targets) onto[p] = static_cast<std::int32_t>(k);
        }
        sets_.reset(parts.size());
        for (std::size_t p = 0; p < width; ++p)
            if (from[p] >= 0 && onto[p] >= 0) sets_.join(from[p], onto[p]);
        std::vector<Part> whole(parts.size());
        std::vector<bool> open(parts.size());
        for (Part& part : whole) part.still = true;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            Part& block = whole[sets_.find(k)];
            block.sources.insert(block.sources.end(), parts[k].sources.begin(),
                                 parts[k].sources.end());
            block.still &= parts[k].still;
            for (const std::int32_t p : parts[k].sources)
                if (onto[p] < 0) open[sets_.find(k)] = true;
            for (const std::int32_t p : parts[k].targets)
                if (from[p] < 0) open[sets_.find(k)] = true;
        }
        std::vector<Part> closed;
        for (std::size_t k = 0; k < parts.size(); ++k)
            if (!open[k] && !whole[k].still && !whole[k].sources.empty())
                closed.push_back(whole[k]);
        unions(closed, [&](const std::vector<const Part*>& chosen) {
            for (const Part* part : chosen)
                moves_.placements.insert(moves_.placements.end(), part->sources.begin(),
                                         part->sources.end());
            record(solution, m);
        });
    }

    // Call a function with every non-empty choice of parts, or with single ones if there are many.
    template <typename Function>
    void unions(const std::vector<Part>& parts, Function&& function) {
        std::vector<const Part*> chosen;
        if (parts.size() > kMostTogether) {
            ++moves_.cut_short;
            for (const Part& part : parts) function(chosen = {&part});
            return;
        }
        for (std::size_t bits = 1; bits < std::size_t{1} << parts.size(); ++bits) {
            chosen.clear();
            for (std::size_t k = 0; k < parts.size(); ++k)
                if (bits >> k & 1) chosen.push_back(&parts[k]);
            function(chosen);
        }
    }

    static bool overlapping(const std::vector<const Part*>& chosen) {
        for (const Part* one : chosen)
            for (const Part* other : chosen)
                for (const std::int32_t p : one->sources)
                    if (std::find(other->targets.begin(), other->targets.end(), p) !=
                        other->targets.end())
                        return true;
        return false;
    }

    void record(std::size_t solution, std::size_t m) {
        moves_.solutions.push_back(static_cast<std::int32_t>(solution));
        moves_.maps.push_back(static_cast<std::int32_t>(m));
        moves_.first.push_back(static_cast<std::int64_t>(moves_.placements.size()));
    }

    const Similar& similar_;
    std::vector<Map> maps_;
    const std::int32_t* owners_ = nullptr;
    const std::int32_t* pieces_ = nullptr;
    std::vector<std::uint8_t> source_, target_;
    Sets sets_;
    Moves moves_;
};

}  // namespace

Moves find_moves(const Similar& similar) { return Finder(similar).run(); }

}  // namespace exactile
