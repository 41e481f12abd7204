// What the API's description says too widely. This is the only place where a screen claims more of a reply than the description holds;
// its test names each claim, so that the description can take them over one by one.

/** A field of a form holds fields: further in than this nothing is compared. */
type DEEPEST = 5;

/** Whether a claim fits into what the description says: the same fields, some of them closer, none of them another. */
type Fits<Closer, Wide, Depth extends 0[] = []> = unknown extends Wide
  ? true
  : string extends keyof Wide
    ? true
    : Depth['length'] extends DEEPEST
      ? true
      : Closer extends readonly (infer C)[]
        ? Wide extends readonly (infer W)[]
          ? Fits<C, W, Depth>
          : false
        : Closer extends object
          ? Wide extends object
            ? FieldsFit<Closer, Wide, Depth>
            : false
          : Closer extends Wide
            ? true
            : false;

type FieldsFit<Closer, Wide, Depth extends 0[]> = {
  [K in keyof Closer]-?: K extends keyof Wide
    ? Fits<NonNullable<Closer[K]>, NonNullable<Wide[K]>, [...Depth, 0]>
    : undefined extends Closer[K]
      ? true
      : false;
}[keyof Closer];

/** Reads a reply as what it is more closely. */
export const closerTo =
  <Closer>() =>
  <Wide>(reply: false extends Fits<Closer, Wide> ? never : Wide): Closer =>
    reply as unknown as Closer;
