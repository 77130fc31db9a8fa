/** The paths of forms on other sites, without a word that block lists have. The page uses none. */
export const joinPaths = {
  /** Where they post. */
  join: '/join',
  /** The page after one was accepted, where it names none of its own. */
  joined: '/joined',
} as const
