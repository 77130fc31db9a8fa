/**
 * How many records one anonymous user may add on Firebase. A second one is needed by whoever mistyped;
 * a script needs a new user for every ten, and Google limits those by client address.
 */
export const RECORDS_A_USER = 10

/**
 * The id of a user's record on Firebase: a hash, so that whoever sees the record does not learn the
 * user. The rules compute the same, so nobody can write at another's id, nor guess one: a uid has
 * 28 random characters.
 *
 * @param place from 0 to `RECORDS_A_USER` - 1.
 */
export async function recordId(uid: string, place: number): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${uid}/${place}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
