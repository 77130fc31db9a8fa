/** Where the emulators are; those that are away are left out. */
export interface Emulators {
  readonly auth?: string
  readonly firestore?: string
}

/**
 * Where a request of Firebase's libraries goes when Google is played by emulators, so that the page
 * under test is the very one that production gets.
 *
 * @returns undefined for what no emulator answers.
 */
export function atEmulator(url: URL, { auth, firestore }: Emulators): string | undefined {
  const path = `${url.pathname}${url.search}`
  switch (url.host) {
    case 'identitytoolkit.googleapis.com':
    case 'securetoken.googleapis.com':
      return auth && `${auth}/${url.host}${path}`
    case 'firestore.googleapis.com':
      return firestore && `${firestore}${path}`
  }
  return undefined
}
