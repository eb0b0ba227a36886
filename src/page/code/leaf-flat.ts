import { leaf } from "./leaf";

leaf(null);
