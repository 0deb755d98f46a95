import { Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Anchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** A button that is a link: it has an address, opens in a new tab, and its target is type-checked. */
export const LinkButton = createLink((props: Anchor<ButtonProps>) => <Button component="a" {...props} />);

export const LinkMenuItem = createLink((props: Anchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));
