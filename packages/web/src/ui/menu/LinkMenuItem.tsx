import { Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Props = MenuItemProps & Omit<ComponentPropsWithRef<'a'>, keyof MenuItemProps>;

/** An entry of a menu that is a link. Not in the front door of this folder: it would load menus everywhere. */
export const LinkMenuItem = createLink((props: Props) => <Menu.Item component="a" {...props} />);
