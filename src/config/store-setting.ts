/** What the setting `STORE` may be: where server and operator keep subscribers. */
export type StoreKind = 'sqlite' | 'firestore'

export const STORE_RULE = 'sqlite or firestore'

export function parseStoreKind(text: string): StoreKind | undefined {
  return text === 'sqlite' || text === 'firestore' ? text : undefined
}
