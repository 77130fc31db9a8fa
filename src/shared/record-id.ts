/**
 * How many records one anonymous user may add on Firebase. A visitor who mistyped needs a second
 * one. A script needs a new user for every ten records, and Google limits new users by client
 * address.
 */
export const RECORDS_A_USER = 10

/**
 * The id of a user's record on Firebase: a hash, so that the record does not reveal the user. The
 * rules compute the same ids, so that a user can write only to their own. Nobody can guess another
 * user's ids, since a uid has 28 random characters.
 *
 * @param place from 0 to `RECORDS_A_USER` - 1.
 */
export async function recordId(uid: string, place: number): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${uid}/${place}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
