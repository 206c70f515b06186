import { useUnderstudy } from 'wp-understudy/cypress';

useUnderstudy();
