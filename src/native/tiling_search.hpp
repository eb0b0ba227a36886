// Completes tiles to the object that is sought, or shows that this cannot be done: depth first,
// branching on the unit with the fewest placements, jumping back over tiles that a contradiction
// does not rest on, and keeping contradictions that rest on few tiles as lemmas.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tiling_window.hpp"

namespace exactile::tiling {

enum class Outcome {
    kRefuted,  // the tiles cannot be completed, by a lemma about some of them
    kFound,
    kOpen,     // the limit on nodes, or the largest window, is reached
    kStopped,  // from outside
};

// Polled: whether to stop.
using Pulse = std::function<bool()>;

class Search {
public:
    // `patch`: the number of coronas of the patch without holes that is sought, if the rule is
    // kSolid. All lemmas are about the tiles of such a patch.
    Search(const Prototiles& prototiles, Rule rule, Pulse pulse, int patch = 0);

    // Complete these tiles; they must not overlap. A tile with k coronas gets k complete coronas
    // around it. This number must be finite, even for a tiling of the plane: there a refutation
    // holds as it is, but what is found is only such a patch. Without tiles, the unit of type 0 at
    // 0 must be covered, by a tile with `coronas` around it.
    Outcome run(const std::vector<Crowned>& tiles, int coronas, std::int64_t nodes);

    // What was found, the given tiles first.
    const std::vector<Crowned>& patch() const { return patch_; }
    bool patch_has_hole() const { return patch_has_hole_; }
    // The lemma that refutes; it may be stronger than requested.
    int refutation() const { return refutation_; }

    const Lemmas& lemmas() const { return lemmas_; }
    std::int64_t nodes() const { return nodes_; }  // of all runs

    // The lemmas that the refutation rests on, itself last: a line each. The documentation of
    // certificates describes the format.
    std::string proof(int lemma) const;

private:
    // A step of a refutation: a unit that must be covered, and why no placement over it does.
    struct Node {
        int unit;
        bool hole;               // it must be because tiles enclose it
        std::size_t begin, end;  // of its kids
    };
    struct Proof {
        enum Kind { kNode, kLemma, kOutside } kind = kNode;
        int number = -1;  // of the node or lemma
        Motion motion{};  // of the lemma
    };
    struct Kid {
        int placement;
        Proof proof;
    };

    Outcome descend(Reason& reason, Proof& proof);
    Outcome attempt(int placement, int coronas, Reason& reason, Proof& proof);
    void refute_unit(int unit, bool hole, Reason& reason, std::vector<Kid>& kids);
    int choose() const;
    Outcome complete(Reason& reason, Proof& proof);
    Proof step(int unit, bool hole, const std::vector<Kid>& kids);
    bool learn(Reason& reason, Proof& proof, std::size_t nodes, std::size_t kids);
    int add_lemma(const Reason& reason, const Proof& proof);
    bool stops();

    // Proofs as text.
    void write(const Proof& proof, std::string& text);
    void write_unit(int unit, std::string& text) const;
    void mark(int placement, bool there);
    bool is_free(int placement) const;

    bool is_middle(const Window::Tile& tile) const { return tile.coronas == patch_coronas_; }

    Lemmas lemmas_;
    Window window_;
    Pulse pulse_;
    int patch_coronas_;
    std::int64_t nodes_ = 0, last_node_ = 0, next_pulse_ = 0;
    bool stopped_ = false;
    int given_coronas_ = 0;  // of a tile without neighbors
    std::vector<Node> arena_;
    std::vector<Kid> kids_;
    std::vector<Crowned> patch_;
    bool patch_has_hole_ = false;
    int refutation_ = -1;
    std::vector<char> marked_;
};

}  // namespace exactile::tiling
