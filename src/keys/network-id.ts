import { keyedHash } from './address-id.ts'

/**
 * Pseudonyms of client networks: keyed hashes of 22 characters, always the same for a network. They
 * can be guessed only with the key, by trying all IPv4 addresses.
 *
 * @param linkKey the secret `LINK_KEY`.
 */
export function networkIds(linkKey: Buffer): (network: string) => string {
  return keyedHash(linkKey, 'network-id')
}
