import { Share, SharedLink } from '../../web/parts/share.tsx'
import type { AfterThanks, AfterYes } from '../../web/parts/slots.ts'

/** Links to pass the page on, after the thanks. */
export function ShareAfterThanks({ words: { name, pitch, share }, path }: AfterThanks) {
  const link = `${import.meta.env.VITE_SHARE}${path}/?ref=share-`
  return share && <Share name={name} pitch={pitch} words={share} link={link} />
}

/** The link of the page itself, the same for everybody. */
export function PageLink(page: AfterYes) {
  return <SharedLink {...page} origin={import.meta.env.VITE_SHARE} query="ref=share-" />
}
