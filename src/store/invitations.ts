/** The public keys that verify invitations. */
export interface Invitations {
  /** The newest first, with when the last code that was signed by each ends. @throws StoreUnavailable */
  keys(): Promise<{ readonly publicKey: string; readonly until: Date }[]>

  /** Keeps a key; of one that is known only its end, if that is later. @throws StoreUnavailable */
  keep(publicKey: string, until: Date): Promise<void>
}
