import fc from "fast-check";

/** One seed for all property tests, so that two runs of the same code agree; `DITTO_SEED=random` (or a number) looks elsewhere. */
const wanted = process.env.DITTO_SEED;
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: wanted === undefined ? 20_260_101 : Number(wanted) });
