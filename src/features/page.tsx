import type { ComponentType } from 'react'
import type { AfterYes } from '../web/parts/share.tsx'
import { PersonalLink } from './referrals/page.tsx'
import { PageLink } from './share/page.tsx'

/** How who confirmed passes the page on: the first of these that is on. */
const passOn: readonly (readonly [isOn: boolean, ComponentType<AfterYes>])[] = [
  [Boolean(import.meta.env.VITE_REFERRALS), PersonalLink],
  [Boolean(import.meta.env.VITE_SHARE), PageLink],
]

export const PassOn = passOn.find(([isOn]) => isOn)?.[1]
