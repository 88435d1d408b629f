/* The functions on strings that ufbx needs where there is no C library. `cargo xtask studio` includes this file before
   ufbx.c; memory and mathematics are in ufbx_runtime.rs. */

#include <stddef.h>

size_t ufbx_strlen(const char *text) {
	size_t length = 0;
	while (text[length]) length++;
	return length;
}

void *ufbx_memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }

void *ufbx_memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }

void *ufbx_memset(void *to, int value, size_t count) { return __builtin_memset(to, value, count); }

int ufbx_memcmp(const void *a, const void *b, size_t count) { return __builtin_memcmp(a, b, count); }

const void *ufbx_memchr(const void *bytes, int value, size_t count) {
	const unsigned char *byte = bytes;
	for (; count; count--, byte++) {
		if (*byte == (unsigned char)value) return byte;
	}
	return NULL;
}

int ufbx_strncmp(const char *a, const char *b, size_t count) {
	for (; count; count--, a++, b++) {
		if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
	}
	return 0;
}

int ufbx_strcmp(const char *a, const char *b) { return ufbx_strncmp(a, b, (size_t)-1); }
