// Loads a number of a tile that was computed, through a pointer.
void kernel_main()
{
    cb_wait_front(16, 1);
    if (*reinterpret_cast<volatile tt_l1_ptr uint16_t *>(get_read_ptr(16)) != 0) {
        cb_pop_front(16, 1);
    }
}
