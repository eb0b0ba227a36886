import { leaf } from "./leaf";
import { SolidView } from "./solid";

leaf(SolidView);
