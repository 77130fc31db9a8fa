/** What a person can put right; only its message is shown. */
export class Refused extends Error {
  /** @override */
  name = 'Refused'
}
