/** Wire types, the low three bits of a tag. */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

export type WireType = typeof VARINT | typeof LENGTH_DELIMITED;

/** A field number and wire type. */
export const toTag = (field: number, wireType: WireType): number => field * 8 + wireType;
