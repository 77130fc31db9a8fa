import type { ComponentType } from 'react'
import type { AfterYes } from '../web/parts/share.tsx'
import { PersonalLink } from './referrals/page.tsx'
import { PageLink } from './share/page.tsx'

const { VITE_REFERRALS, VITE_SHARE } = import.meta.env

/** How who confirmed passes the page on: the first of these that is on. */
const passOn: readonly (readonly [isOn: boolean, ComponentType<AfterYes>])[] = [
  [Boolean(VITE_REFERRALS), PersonalLink],
  [Boolean(VITE_SHARE), PageLink],
]

export const PassOn = passOn.find(([isOn]) => isOn)?.[1]
