#include "tiling_decision.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

namespace exactile::tiling {

static constexpr std::int64_t kGlance = 50;          // nodes of the very first search
static constexpr std::int64_t kAttempt = 500;        // of searches for refutations, at first
static constexpr std::int64_t kLongest = 2'000'000;  // of such a search, ever
static constexpr std::int64_t kTorus = 2000;         // of searches for one period, at first
static constexpr std::int64_t kIsohedral = 20'000;
static constexpr int kCopies = 4;  // how many more copies the periods of a round have

static std::size_t at(int i) { return static_cast<std::size_t>(i); }

namespace {

// Searches for refutations with more and more nodes: of the prototile, of it with a neighbor.
class Refuter {
public:
    // `most` returns the largest number of nodes of a search. `patch`: see Search.
    Refuter(const Prototiles& prototiles, Rule rule, const Pulse& pulse,
            std::function<std::int64_t()> most, int patch = 0)
        : prototiles_(&prototiles),
          search_(prototiles, rule, pulse, patch),
          most_(std::move(most)) {}

    const Search& search() const { return search_; }
    bool stopped() const { return stopped_; }

    // Is there a tile of a prototile, or of any if it is -1, with a number of coronas around it?
    Outcome one(int prototile, int coronas, std::int64_t nodes) {
        std::vector<Crowned> tiles;
        if (prototile >= 0) tiles.push_back({{prototiles_->root(prototile), {}}, coronas});
        return run(tiles, coronas, nodes);
    }

    // Search for lemmas about tiles with a number of coronas and one of their neighbors. With
    // `equal`, the neighbor has as many. Returns whether any was found.
    bool pairs(int coronas, bool equal, std::int64_t nodes) {
        Grade& grade =
            grades_.try_emplace(equal ? 0 : coronas, prototiles_->class_count()).first->second;
        if (equal) std::ranges::fill(grade.seen, 0);
        const Grade* below = nullptr;
        if (!equal && coronas > 1)
            below = &grades_.try_emplace(coronas - 1, prototiles_->class_count()).first->second;
        bool any = false;
        for (int c = 0; c < prototiles_->class_count() && !stopped_; ++c) {
            const int opposite = prototiles_->opposite(c);
            if (grade.excluded[at(c)] || grade.seen[at(c)] || (equal && opposite < c)) continue;
            if (below != nullptr && (below->excluded[at(c)] || below->excluded[at(opposite)])) {
                grade.excluded[at(c)] = 1;
                continue;
            }
            const auto [root, neighbor] = prototiles_->example(c);
            const Outcome outcome =
                run({{{root, {}}, coronas}, {neighbor, equal ? coronas : coronas - 1}}, 0, nodes);
            if (outcome == Outcome::kFound) note_seen(root, grade);
            if (outcome != Outcome::kRefuted) continue;
            grade.excluded[at(c)] = any = true;
            if (equal) grade.excluded[at(opposite)] = 1;
        }
        return any;
    }

    // The classes of neighbors that no tiling has.
    const std::vector<char>& excluded() {
        return grades_.try_emplace(0, prototiles_->class_count()).first->second.excluded;
    }

private:
    struct Grade {
        explicit Grade(int classes) : excluded(at(classes)), seen(at(classes)) {}
        std::vector<char> excluded, seen;
    };

    Outcome run(const std::vector<Crowned>& tiles, int coronas, std::int64_t nodes) {
        nodes = std::min(nodes, most_());
        if (nodes <= 0) return Outcome::kOpen;
        const Outcome outcome = search_.run(tiles, coronas, nodes);
        stopped_ = stopped_ || outcome == Outcome::kStopped;
        return outcome;
    }

    // What was found has the first tile with other neighbors too: no need to try these.
    void note_seen(int root, Grade& grade) const {
        const std::set<Placement> there = [this] {
            std::set<Placement> tiles;
            for (const Crowned& tile : search_.patch()) tiles.insert(tile.tile);
            return tiles;
        }();
        const auto& neighbors = prototiles_->neighbors(root);
        for (std::size_t k = 0; k < neighbors.size(); ++k)
            if (there.contains(neighbors[k]))
                grade.seen[at(prototiles_->class_of(root, static_cast<int>(k)))] = 1;
    }

    const Prototiles* prototiles_;
    Search search_;
    std::function<std::int64_t()> most_;
    std::map<int, Grade> grades_;  // by coronas; 0: of tilings
    bool stopped_ = false;
};

// All that one decision takes.
class Deciding {
public:
    Deciding(const Prototiles& prototiles, Sublattices& sublattices, const Wishes& wishes,
             const Pulse& pulse)
        : prototiles_(prototiles),
          sublattices_(sublattices),
          wishes_(wishes),
          pulse_(pulse),
          alone_(prototiles.prototile_count() == 1),
          torus_(prototiles, pulse),
          refuter_(prototiles, Rule::kPlane, pulse, [this] { return left(); }) {}

    Decision decide() {
        if (is_unbalanced()) {
            result_.verdict = Verdict::kDoesNot;
            result_.method = "balance";
        } else if (!refute(1, kGlance) && !(alone_ && find_symmetric())) {
            take_turns();
        }
        if (result_.verdict == Verdict::kTiles) describe();
        if (result_.verdict == Verdict::kDoesNot && wishes_.heesch && alone_) count_coronas();
        result_.nodes = nodes();
        if (!is_open()) result_.stopped = false;  // what ended a search was too late to matter
        result_.exhausted = is_open() && left() <= 0;
        return std::move(result_);
    }

private:
    std::int64_t nodes() const {
        std::int64_t nodes = torus_.nodes() + refuter_.search().nodes() + more_nodes_;
        for (const Search* search : more_) nodes += search->nodes();
        return nodes;
    }
    std::int64_t left() const { return wishes_.nodes - nodes(); }
    // Whether a result that is wanted is still unknown.
    bool is_open() const {
        switch (result_.verdict) {
            case Verdict::kTiles:
                return alone_ && wishes_.least && !result_.copies.exact;
            case Verdict::kDoesNot:
                return result_.has_heesch && !(result_.solid.exact && result_.holed.exact);
            default:
                return true;
        }
    }
    bool is_over() const { return result_.stopped || left() <= 0; }

    // Types of unit that motions take to each other are equally frequent in the plane and in any
    // set of types, but perhaps not in the only prototile.
    bool is_unbalanced() const {
        const Lattice& lattice = prototiles_.lattice();
        if (!alone_) return false;
        std::vector<int> count(at(lattice.types));
        for (const Unit& unit : prototiles_.aspect(prototiles_.root(0)).units)
            ++count[at(unit.type)];
        for (int type = 0; type < lattice.types; ++type) {
            std::set<int> orbit;
            for (int turn = 0; turn < lattice.turn_count(); ++turn)
                orbit.insert(lattice.turned(turn, Unit{{}, type}).type);
            int here = 0;
            for (const int each : orbit) here += count[at(each)];
            if (here * lattice.types != prototiles_.units_of(0) * static_cast<int>(orbit.size()))
                return true;
        }
        return false;
    }

    void accept(const Periodic& tiling, const char* method) {
        if (!is_tiling(prototiles_, tiling))
            throw std::logic_error("what was found is not a tiling");
        result_.verdict = Verdict::kTiles;
        result_.method = method;
        result_.tiling = tiling;
    }

    bool find_symmetric() {
        Periodic found;
        if (find_translates(prototiles_, sublattices_, found) == Outcome::kFound) {
            accept(found, "translation");
            result_.copies.least = 1;
            if (wishes_.half_turns)
                result_.half_turn =
                    find_half_turns(prototiles_, sublattices_, found) == Outcome::kFound;
        } else {
            tried_ = prototiles_.units_of(0) / prototiles_.lattice().types;
            if (prototiles_.units_of(0) % prototiles_.lattice().types == 0)
                for (const Representative& period : sublattices_.of_index(tried_))
                    result_.periods_excluded += 1 + period.others;
            result_.copies.least = 2;
            result_.half_turn =
                find_half_turns(prototiles_, sublattices_, found) == Outcome::kFound;
            if (*result_.half_turn) accept(found, "half-turn");
        }
        if (result_.verdict != Verdict::kTiles && wishes_.isohedral) {
            Isohedral search(prototiles_, refuter_.excluded());
            const Outcome outcome = search.search(kIsohedral);
            if (outcome == Outcome::kFound) accept(search.found(), "isohedral");
            if (outcome == Outcome::kRefuted) result_.isohedral = false;
        }
        if (result_.verdict == Verdict::kTiles) result_.isohedral = true;
        return result_.verdict == Verdict::kTiles;
    }

    // --- periods and refutations in turns

    // Of several prototiles, most neighbors are possible: pairs of them come last.
    void take_turns() {
        std::int64_t attempt = kAttempt;
        for (int round = 0; !is_over(); ++round, attempt = std::min(2 * attempt, kLongest)) {
            const int coronas = std::min(round + 1, wishes_.most_coronas);
            if (refute(coronas, attempt) || (alone_ && refute_pairs(coronas, attempt))) return;
            if (!wishes_.refute && has_tried_all()) return;
            if (search_period(std::min(kCopies * (round + 1), wishes_.most_copies),
                              kTorus << std::min(2 * round, 30)))
                return;
            if (!alone_ && refute_pairs(coronas, attempt)) return;
        }
    }

    bool refute_pairs(int coronas, std::int64_t attempt) {
        if (!wishes_.refute) return false;
        while (!is_over() && refuter_.pairs(coronas, true, attempt))
            if (refute(coronas, attempt)) return true;
        result_.stopped = result_.stopped || refuter_.stopped();
        return false;
    }

    // Of several prototiles, if all must be used, each may be the one that cannot be.
    bool refute(int coronas, std::int64_t attempt) {
        if (!wishes_.refute) return false;
        const bool each = alone_ || wishes_.all;
        for (int p = each ? 0 : -1; p < (each ? prototiles_.prototile_count() : 0); ++p) {
            const Outcome outcome = refuter_.one(p, coronas, attempt);
            if (outcome == Outcome::kRefuted) {
                result_.verdict = Verdict::kDoesNot;
                result_.method = "refutation";
                if (wishes_.proofs)
                    result_.refutation = refuter_.search().proof(refuter_.search().refutation());
                return true;
            }
            if (outcome == Outcome::kFound && coronas > result_.coronas) {
                result_.coronas = coronas;
                result_.patch = refuter_.search().patch();
            }
            result_.stopped = result_.stopped || outcome == Outcome::kStopped;
        }
        return false;
    }

    // Periods go by what they have room for: copies of the smallest prototile, or of all of them if
    // each must be used.
    int least_units() const {
        int least = prototiles_.units_of(0), all = least;
        for (int p = 1; p < prototiles_.prototile_count(); ++p) {
            least = std::min(least, prototiles_.units_of(p));
            all += prototiles_.units_of(p);
        }
        return wishes_.all ? all : least;
    }

    // Try the periods with up to a number of copies; those that took too long are tried again.
    bool search_period(int most, std::int64_t attempt) {
        const int unit = least_units(), types = prototiles_.lattice().types;
        const int last = most * unit / types;
        for (int index = tried_ + 1; index <= last; ++index) {
            if (alone_ && index * types % unit != 0) continue;
            const auto& periods = sublattices_.of_index(index);
            for (std::size_t k = 0; k < periods.size(); ++k) waiting_.emplace_back(index, k);
        }
        tried_ = std::max(tried_, last);
        std::vector<std::pair<int, std::size_t>> left;
        for (std::size_t k = 0; k < waiting_.size(); ++k) {
            const auto [index, number] = waiting_[k];
            Outcome outcome = Outcome::kOpen;
            const Representative& period = sublattices_.of_index(index)[number];
            if (!is_over())
                outcome = torus_.search(period, refuter_.excluded(), wishes_.all,
                                        std::min(attempt, this->left()));
            result_.stopped = result_.stopped || outcome == Outcome::kStopped;
            if (outcome == Outcome::kRefuted) result_.periods_excluded += 1 + period.others;
            if (outcome == Outcome::kOpen || outcome == Outcome::kStopped)
                left.push_back(waiting_[k]);
            if (outcome != Outcome::kFound) continue;
            accept(torus_.found(), "period");
            // Those of the same size that were not tried say nothing about the least number.
            waiting_ = left;
            note_copies(index);
            return true;
        }
        waiting_ = left;
        note_copies(tried_ + 1);
        return false;
    }

    bool has_tried_all() const {
        return waiting_.empty() &&
               tried_ >= wishes_.most_copies * least_units() / prototiles_.lattice().types;
    }

    // All smaller periods were tried, except those that are waiting.
    void note_copies(int index) {
        for (const auto& [waiting, number] : waiting_) index = std::min(index, waiting);
        const int unit = least_units(), types = prototiles_.lattice().types;
        result_.copies.least = (index * types + unit - 1) / unit;
    }

    // --- results about tilings

    void describe() {
        const int copies = static_cast<int>(result_.tiling.copies.size());
        if (wishes_.least && result_.method == "isohedral") {
            for (int round = 0; !is_over(); ++round)
                if (search_period(copies - 1, kTorus << std::min(2 * round, 30)) ||
                    waiting_.empty())
                    break;
            result_.method = "isohedral";
        }
        const int now = static_cast<int>(result_.tiling.copies.size());
        result_.copies.exact = alone_ && result_.copies.least >= now;
        if (result_.copies.exact) result_.copies.least = now;
        result_.orbits = orbits(prototiles_, result_.tiling);
        if (std::ranges::max(result_.orbits) == 0) result_.isohedral = true;
    }

    // --- Heesch numbers

    Outcome surround(Refuter& refuter, int coronas) {
        Outcome outcome = refuter.one(0, coronas, kAttempt);
        for (std::int64_t attempt = kAttempt;
             outcome == Outcome::kOpen && attempt <= kLongest && !is_over(); attempt *= 4) {
            for (int grade = 1; grade <= coronas; ++grade) refuter.pairs(grade, false, attempt);
            outcome = refuter.one(0, coronas, 4 * attempt);
        }
        if (outcome == Outcome::kStopped) result_.stopped = true;
        return outcome;
    }

    // The same without holes. What is learned of a patch does not hold for a larger one.
    Outcome surround_solidly(int coronas) {
        Refuter solid(prototiles_, Rule::kSolid, pulse_, [this] { return left(); }, coronas);
        more_.push_back(&solid.search());
        const Outcome outcome = surround(solid, coronas);
        more_.pop_back();
        more_nodes_ += solid.search().nodes();
        if (outcome == Outcome::kFound) result_.holed_patch = solid.search().patch();
        if (outcome == Outcome::kRefuted && wishes_.proofs)
            result_.solid_refutation = solid.search().proof(solid.search().refutation());
        return outcome;
    }

    void count_coronas() {
        result_.has_heesch = true;
        Refuter holed(prototiles_, Rule::kCoronas, pulse_, [this] { return left(); });
        more_.push_back(&holed.search());
        for (int k = 1; k <= wishes_.most_coronas; ++k) {
            const Outcome any = surround(holed, k);
            if (any == Outcome::kRefuted) {
                result_.solid.exact = result_.holed.exact = true;
                if (wishes_.proofs)
                    result_.holed_refutation = holed.search().proof(holed.search().refutation());
                break;
            }
            if (any != Outcome::kFound) break;
            result_.holed.least = k;
            result_.holed_patch = holed.search().patch();
            if (wishes_.holes && holed.search().patch_has_hole()) {
                const Outcome without = surround_solidly(k);
                result_.solid.exact = result_.holed.exact = without == Outcome::kRefuted;
                if (without != Outcome::kFound) break;
            }
            result_.solid.least = k;
            result_.solid_patch = result_.holed_patch;
        }
        more_nodes_ += holed.search().nodes();
        more_.clear();
    }

    const Prototiles& prototiles_;
    Sublattices& sublattices_;
    const Wishes& wishes_;
    const Pulse& pulse_;
    const bool alone_;
    Torus torus_;
    Refuter refuter_;
    Decision result_;
    int tried_ = 0;  // the largest index of periods that were tried
    std::vector<std::pair<int, std::size_t>> waiting_;  // periods that took too long
    std::vector<const Search*> more_;                   // that are going on
    std::int64_t more_nodes_ = 0;
};

}  // namespace

Decider::Decider(Lattice lattice) : lattice_(std::move(lattice)), sublattices_(lattice_) {
    lattice_.complete();
}

Decision Decider::decide(const std::vector<Units>& forms, const Wishes& wishes,
                         const Pulse& pulse) {
    const Prototiles prototiles(lattice_, forms);
    return Deciding(prototiles, sublattices_, wishes, pulse).decide();
}

}  // namespace exactile::tiling
