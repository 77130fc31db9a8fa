/**
 * The name of each thing that we make in a data folder, for the code that makes it there: a folder with
 * anything else in it is somebody else's as well.
 */
export const inDataFolder = {
  list: 'subscribers.sqlite',
  linkKey: 'link.key',
  codeKey: 'invitation.key',
  sealKey: 'seal.key',
  letters: 'letters',
} as const

/** How the names of all else begin: what SQLite has beside the list, locks, copies and leftovers. */
export const BESIDE_LIST = 'subscribers.'
