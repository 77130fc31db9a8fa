import type { ComponentType } from 'react'
import type { AfterYes as Confirmed, LinkPage, AfterThanks as Thanked } from '../web/parts/slots.ts'
import { AskedAfterThanks, AskedAfterYes, replyPage } from './question/page.tsx'
import { PersonalLink } from './referrals/page.tsx'
import { PageLink, ShareAfterThanks } from './share/page.tsx'
import { stillInterestedPage } from './still-interested/page.tsx'

/** What follows the thanks. */
export function AfterThanks(page: Thanked) {
  return (
    <>
      {import.meta.env.VITE_QUESTION === 'page' && <AskedAfterThanks {...page} />}
      {import.meta.env.VITE_SHARE && <ShareAfterThanks {...page} />}
    </>
  )
}

/** How who confirmed passes the page on: the first of these that is on. */
const passOn: readonly (readonly [isOn: boolean, ComponentType<Confirmed>])[] = [
  [Boolean(import.meta.env.VITE_REFERRALS), PersonalLink],
  [Boolean(import.meta.env.VITE_SHARE), PageLink],
]

/** What follows the yes. */
export function AfterYes(page: Confirmed) {
  const PassOn = passOn.find(([isOn]) => isOn)?.[1]
  return (
    <>
      {import.meta.env.VITE_QUESTION && <AskedAfterYes {...page} />}
      {PassOn && <PassOn {...page} />}
    </>
  )
}

/** Pages behind links of their own, by their names. */
export const linkPagesOf = (): Readonly<Record<string, LinkPage>> => ({
  'still-interested': stillInterestedPage,
  ...(import.meta.env.VITE_QUESTION && { answer: replyPage }),
})
