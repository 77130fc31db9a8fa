/** Why no copy is made, kept, restored or rehearsed. */
export interface BackUpRefusals {
  'other-back-up': object
  'no-recipient': { recipient: string }
  'no-identity': object
  'no-rule': { keep: string }
  'no-copy': { folder: string }
  /** @param other the folder that it is in, where it is `inside`. */
  'copy-folder': {
    folder: string
    why: 'missing' | 'no-folder' | 'inside' | 'open'
    other?: string
  }
  'not-decrypted': { file: string; why: string }
  'other-link-key': { dataDir: string }
  'damaged-rehearsal-key': { file: string }
}
