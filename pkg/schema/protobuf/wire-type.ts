/** How a value is delimited, the low three bits of a tag (protobuf's encoding guide). */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const START_GROUP = 3;
export const END_GROUP = 4;
export const FIXED32 = 5;

export type WireType = typeof VARINT | typeof LENGTH_DELIMITED;

/** What stands before a value: its field and how it is delimited. */
export const toTag = (field: number, wireType: WireType): number => field * 8 + wireType;
