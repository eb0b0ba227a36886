// The colors of pieces, in the order in which they are given out.

export const PALETTE = [
  ..."c1852b 9193fb fee6ad a5f1fd 6c9c88 bdc1c6 d4ebd3".split(" "),
  ..."9ac583 b481a5 e2aefc 9b966a cab547 fb89a5 1bb1c7".split(" "),
].map((color) => `#${color}`);
