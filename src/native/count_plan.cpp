#include "count_plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace exactile {

static void require(bool fine, const std::string& message) {
    if (!fine) throw std::invalid_argument(message);
}

void CountProblem::validate() const {
    require(upper.size() == lower.size(), "lower and upper bounds differ in length");
    require(rank.size() == lower.size(), "items and their ranks differ in number");
    require(colors.size() == members.size(), "members and their colors differ in number");
    require(!first.empty() && first.front() == 0 &&
                first.back() == static_cast<std::int64_t>(members.size()),
            "option boundaries do not span the members");
    require(std::is_sorted(first.begin(), first.end()), "option boundaries decrease");
    std::vector<bool> ranked(rank.size());
    for (Index i = 0; i < items(); ++i) {
        require(0 <= lower[i] && lower[i] <= upper[i],
                "item " + std::to_string(i) + " has impossible bounds [" +
                    std::to_string(lower[i]) + ", " + std::to_string(upper[i]) + "]");
        require(0 <= rank[i] && rank[i] < items() && !ranked[rank[i]],
                "the ranks are no permutation of the items");
        ranked[rank[i]] = true;
    }
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Index i = members[k];
        require(0 <= i && i < items(),
                "an option names item " + std::to_string(i) + ", which does not exist");
        require(colors[k] >= 0, "item " + std::to_string(i) + " has a negative color");
        require(colors[k] == 0 || (lower[i] == 0 && upper[i] == 1),
                "item " + std::to_string(i) + " is colored, so its bounds must be [0, 1]");
    }
}

Plan::Plan(const CountProblem& problem, Bits bits) {
    problem.validate();
    read_options(problem);
    choose_kinds(problem);
    if (!feasible) return;
    make_blocks(problem);
    find_spans();
    give_fields(bits);
    lay_out(problem);
    find_demanding(problem);
}

// Put equal members together; note which options can be taken at all.
void Plan::read_options(const CountProblem& problem) {
    items_.resize(problem.items());
    options_.resize(problem.options());
    possible_.assign(problem.options(), true);
    std::vector<bool> painted(problem.items());
    for (std::size_t k = 0; k < problem.members.size(); ++k)
        if (problem.colors[k] > 0) painted[problem.members[k]] = true;
    for (Index i = 0; i < problem.items(); ++i)
        if (painted[i]) items_[i].kind = Item::Kind::painted;
    std::vector<std::pair<Index, Index>> row;
    for (Index o = 0; o < problem.options(); ++o) {
        row.clear();
        for (std::int64_t k = problem.first[o]; k < problem.first[o + 1]; ++k)
            row.emplace_back(problem.members[k], problem.colors[k]);
        std::sort(row.begin(), row.end());
        std::vector<Member>& option = options_[o];
        for (std::size_t k = 0; k < row.size(); ++k) {
            const auto [item, color] = row[k];
            if (option.empty() || option.back().item != item) {
                option.push_back({item, 1, color});
            } else if (painted[item]) {  // twice with one color is once; otherwise it clashes
                if (color == 0 || color != option.back().code) possible_[o] = false;
            } else {
                ++option.back().weight;
            }
            if (option.back().weight > problem.upper[item]) possible_[o] = false;
        }
        if (!possible_[o]) continue;
        for (const Member& m : option) {
            items_[m.item].total += m.weight;
            if (painted[m.item]) items_[m.item].codes.push_back(m.code);
        }
    }
}

// Items that no choice of options can use too often or too rarely need no field.
void Plan::choose_kinds(const CountProblem& problem) {
    for (Index i = 0; i < problem.items(); ++i) {
        Item& item = items_[i];
        if (problem.lower[i] > item.total) feasible = false;
        if (item.kind == Item::Kind::painted) {
            auto& codes = item.codes;
            std::sort(codes.begin(), codes.end());
            codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
            const bool binds = codes.size() > 1 || (codes.size() == 1 && codes[0] == 0);
            if (!binds) item.kind = Item::Kind::none;
            item.most = codes.size() + 1;  // codes become 2, 3, ...; 1 is "without a color"
        } else if (problem.lower[i] > 0 || item.total > problem.upper[i]) {
            item.most =
                static_cast<std::uint64_t>(std::min<std::int64_t>(problem.upper[i], item.total));
            item.kind = item.most == 1 ? Item::Kind::bit : Item::Kind::counter;
        }
    }
}

void Plan::make_blocks(const CountProblem& problem) {
    std::map<std::pair<Index, Index>, std::pair<Index, std::vector<Index>>> found;
    for (Index o = 0; o < problem.options(); ++o) {
        if (!possible_[o]) continue;
        Index anchor = -1;
        Index least = problem.items();
        for (const Member& m : options_[o]) {
            least = std::min(least, problem.rank[m.item]);
            if (items_[m.item].kind == Item::Kind::bit &&
                (anchor < 0 || problem.rank[m.item] < problem.rank[anchor]))
                anchor = m.item;
        }
        auto& [owner, list] = anchor >= 0 ? found[{problem.rank[anchor], -1}] : found[{least, o}];
        owner = anchor;
        list.push_back(o);
    }
    for (auto& [key, block] : found) {
        anchors_.push_back(block.first);
        members_of_block_.push_back(std::move(block.second));
    }
}

void Plan::find_spans() {
    for (std::size_t b = 0; b < members_of_block_.size(); ++b)
        for (const Index o : members_of_block_[b])
            for (const Member& m : options_[o]) {
                Item& item = items_[m.item];
                if (item.open < 0) item.open = static_cast<std::ptrdiff_t>(b);
                item.close = static_cast<std::ptrdiff_t>(b);
            }
}

// Each item gets the first bits that are free from its first block to its last one, or to the end.
void Plan::give_fields(Bits bits_of_items) {
    const std::size_t count = members_of_block_.size();
    std::vector<std::vector<Index>> opening(count), closing(count);
    for (Index i = 0; i < static_cast<Index>(items_.size()); ++i) {
        const Item& item = items_[i];
        if (item.kind == Item::Kind::none || item.open < 0) continue;
        opening[item.open].push_back(i);
        closing[item.close].push_back(i);
    }
    std::vector<std::uint64_t> used;
    std::size_t live = 0;
    for (std::size_t b = 0; b < count; ++b) {
        for (const Index i : opening[b]) {
            Item& item = items_[i];
            const auto bits = static_cast<std::uint32_t>(std::bit_width(item.most));
            item.field.mask = (std::uint64_t{1} << bits) - 1;
            bool placed = false;
            for (std::uint32_t at = 0; !placed; ++at) {
                const std::uint32_t word = at / 64, shift = at % 64;
                if (word == used.size()) used.push_back(0);
                if (shift + bits > 64 || (used[word] >> shift & item.field.mask) != 0) continue;
                used[word] |= item.field.mask << shift;
                item.field.word = word;
                item.field.shift = shift;
                placed = true;
            }
            live += bits;
        }
        width = std::max(width, live);
        for (const Index i : closing[b]) {
            const Field& field = items_[i].field;
            if (bits_of_items == Bits::given_again)
                used[field.word] &= ~(field.mask << field.shift);
            live -= static_cast<std::size_t>(std::bit_width(field.mask));
        }
    }
    words = std::max<std::size_t>(1, used.size());
}

void Plan::lay_out(const CountProblem& problem) {
    const std::size_t count = members_of_block_.size();
    required.assign(count * words, 0);
    leaving.assign(count * words, 0);
    for (Item& item : items_) item.future = 0;
    for (std::size_t b = 0; b < count; ++b) {
        const Index anchor = anchors_[b];
        const bool owned = anchor >= 0;
        blocks.push_back({moves.size(), 0, owned ? items_[anchor].field : Field{},
                          owned && problem.lower[anchor] > 0});
        for (const Index o : members_of_block_[b]) {
            moves.push_back({o, uses.size()});
            taken.resize(moves.size() * words, 0);
            std::uint64_t* const mask = &taken[(moves.size() - 1) * words];
            for (const Member& m : options_[o]) {
                const Item& item = items_[m.item];
                if (item.kind == Item::Kind::bit) {
                    mask[item.field.word] |= std::uint64_t{1} << item.field.shift;
                } else if (item.kind == Item::Kind::counter) {
                    uses.push_back({item.field, static_cast<std::uint64_t>(m.weight), item.most});
                } else if (item.kind == Item::Kind::painted) {
                    const auto at = std::lower_bound(item.codes.begin(), item.codes.end(), m.code);
                    const auto code = at - item.codes.begin() + (item.codes[0] == 0 ? 1 : 2);
                    uses.push_back({item.field, static_cast<std::uint64_t>(code), 0});
                }
            }
        }
    }
    // The bounds after a block depend on the blocks behind it: backwards, then turned around.
    std::vector<std::size_t> sizes(count);
    for (std::size_t b = count; b-- > 0;) {
        const std::size_t before = bounds.size();
        add_bounds(problem, b);
        sizes[b] = bounds.size() - before;
    }
    std::reverse(bounds.begin(), bounds.end());
    for (std::size_t b = 0, at = 0; b < count; at += sizes[b++]) blocks[b].bounds = at;
    blocks.push_back({moves.size(), bounds.size(), Field{}, false});
    moves.push_back({-1, uses.size()});
}

void Plan::add_bounds(const CountProblem& problem, std::size_t b) {
    std::map<Index, std::int64_t> heaviest;
    for (const Index o : members_of_block_[b])
        for (const Member& m : options_[o]) {
            std::int64_t& weight = heaviest[m.item];
            weight = std::max<std::int64_t>(weight, m.weight);
        }
    for (const auto& [i, weight] : heaviest) {
        Item& item = items_[i];
        if (item.kind == Item::Kind::none) continue;
        const Field& field = item.field;
        if (item.close == static_cast<std::ptrdiff_t>(b)) {
            leaving[b * words + field.word] |= field.mask << field.shift;
            if (item.kind == Item::Kind::bit && problem.lower[i] > 0)
                required[b * words + field.word] |= field.mask << field.shift;
        }
        if (item.kind == Item::Kind::counter) {
            const std::int64_t least = std::max<std::int64_t>(0, problem.lower[i] - item.future);
            const std::int64_t high = problem.upper[i] - item.future;
            // Nothing to do unless some value is too low, or several values are as good as `low`.
            if (least > 0 || high > problem.lower[i]) {
                const bool joins = high > problem.lower[i];
                bounds.push_back({field, static_cast<std::uint64_t>(least),
                                  static_cast<std::uint64_t>(problem.lower[i]),
                                  static_cast<std::uint64_t>(joins ? high : problem.lower[i])});
            }
        }
        item.future += weight;
    }
}

// For each item that has to be used, the moves that contain it, those of the last blocks first.
void Plan::find_demanding(const CountProblem& problem) {
    demanding_.resize(items_.size());
    near_.resize(items_.size());
    for (std::size_t m = moves.size() - 1; m-- > 0;)
        for (const Member& member : options_[moves[m].option]) {
            if (items_[member.item].kind != Item::Kind::bit || problem.lower[member.item] == 0)
                continue;
            demanding_[member.item].push_back(m);
            std::vector<std::uint64_t>& near = near_[member.item];
            near.resize(words);
            for (std::size_t w = 0; w < words; ++w) near[w] |= taken_by(m)[w];
        }
}

// Of some masks those that contain no other one.
static std::vector<std::vector<std::uint64_t>> least(
    std::vector<std::vector<std::uint64_t>> masks) {
    const auto bits = [](const std::vector<std::uint64_t>& mask) {
        int count = 0;
        for (const std::uint64_t word : mask) count += std::popcount(word);
        return count;
    };
    std::sort(masks.begin(), masks.end());
    masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
    std::stable_sort(masks.begin(), masks.end(),
                     [&](const auto& a, const auto& b) { return bits(a) < bits(b); });
    std::vector<std::vector<std::uint64_t>> left;
    for (auto& mask : masks) {
        const bool within = std::any_of(left.begin(), left.end(), [&](const auto& small) {
            for (std::size_t w = 0; w < small.size(); ++w)
                if ((small[w] & ~mask[w]) != 0) return false;
            return true;
        });
        if (!within) left.push_back(std::move(mask));
    }
    return left;
}

// What must not be used yet before a block for an option with an item to be taken, for each such
// option to come; nothing if one of them can be taken whatever is used. Only items matter that can
// be used by now: others have no bits.
std::vector<std::vector<std::uint64_t>> Plan::obstacles(std::size_t item, std::size_t block) const {
    std::vector<std::vector<std::uint64_t>> masks;
    for (const std::size_t m : demanding_[item]) {
        if (m < blocks[block].moves) break;
        std::vector<std::uint64_t> mask(words);
        bool any = false;
        for (const Member& member : options_[moves[m].option]) {
            const Item& other = items_[member.item];
            if (other.kind != Item::Kind::bit || member.item == static_cast<Index>(item) ||
                other.open >= static_cast<std::ptrdiff_t>(block))
                continue;
            mask[other.field.word] |= std::uint64_t{1} << other.field.shift;
            any = true;
        }
        if (!any) return {};
        masks.push_back(std::move(mask));
    }
    return least(std::move(masks));
}

Demands Plan::demands(std::size_t block) const {
    Demands found;
    const auto before = static_cast<std::ptrdiff_t>(block);
    for (std::size_t i = 0; i < demanding_.size(); ++i) {
        const Item& item = items_[i];
        if (demanding_[i].empty() || item.open >= before || item.close < before) continue;
        const std::vector<std::vector<std::uint64_t>> masks = obstacles(i, block);
        if (masks.empty()) continue;
        found.items.push_back(
            {item.field, static_cast<std::size_t>(item.open), found.masks.size()});
        for (const auto& mask : masks)
            found.masks.insert(found.masks.end(), mask.begin(), mask.end());
        found.near.insert(found.near.end(), near_[i].begin(), near_[i].end());
    }
    found.items.push_back({Field{}, 0, found.masks.size()});
    return found;
}

// `Words` is the length of a state where it is known when this is compiled, else 0.
template <std::size_t Words>
static bool apart(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < (Words > 0 ? Words : words); ++w) common |= a[w] & b[w];
    return common == 0;
}

// An option that could be taken before and cannot now shares an item with the one that was taken:
// that is near to all items of both.
template <std::size_t Words>
bool Demands::fail(const std::uint64_t* state, std::size_t words, const std::uint64_t* taken,
                   std::size_t earlier) const {
    const std::size_t size = Words > 0 ? Words : words;
    for (std::size_t d = 0; d + 1 < items.size(); ++d) {
        if (taken != nullptr && apart<Words>(&near[d * size], taken, words) &&
            items[d].open < earlier)
            continue;
        if (items[d].field.get(state) != 0) continue;
        std::size_t m = items[d].masks;
        while (m < items[d + 1].masks && !apart<Words>(&masks[m], state, words)) m += size;
        if (m == items[d + 1].masks) return true;
    }
    return false;
}

bool Demands::hopeless(const std::uint64_t* state, std::size_t words, const std::uint64_t* taken,
                       std::size_t earlier) const {
    switch (words) {
        case 1:
            return fail<1>(state, words, taken, earlier);
        case 2:
            return fail<2>(state, words, taken, earlier);
        default:
            return fail<0>(state, words, taken, earlier);
    }
}

}  // namespace exactile
